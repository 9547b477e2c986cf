import { cn } from "./cn.ts";

const sizes = { sm: "size-5 text-[0.625rem]", md: "size-6 text-xs", lg: "size-8 text-sm" };

export type AvatarProps = {
  /** Whose: the initials come from here. */
  name: string;
  src?: string;
  /** A square for organisations, a circle for people. */
  square?: boolean;
  size?: keyof typeof sizes;
  className?: string;
};

/** Decorative: the name is beside it or on the control around it. */
export function Avatar({ name, src, square, size = "md", className }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "inline-grid shrink-0 select-none place-items-center overflow-hidden border border-border-strong bg-muted font-medium text-muted-foreground leading-none",
        square ? "rounded-xs" : "rounded-full",
        sizes[size],
        className,
      )}
    >
      {src ? (
        // biome-ignore lint/performance/noImgElement: avatars are tiny and come from anywhere
        <img src={src} alt="" className="size-full object-cover" />
      ) : (
        initials(name)
      )}
    </span>
  );
}

function initials(name: string): string {
  const words = name
    .replace(/@.*/, "")
    .split(/[\s._-]+/)
    .filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => [...(word ?? "?")][0]?.toUpperCase()).join("");
}
