"use client";

import "./style-nonce.ts";
import { X } from "lucide-react";
import * as Primitive from "radix-ui/dialog";
import type { ComponentProps, KeyboardEvent, ReactNode } from "react";
import { cn } from "./cn.ts";
import { overlayClasses } from "./modal-looks.ts";
import { useModal } from "./modal-root.tsx";
import { FocusOrigin, useReturnFocus } from "./return-focus.ts";

export type ModalContentProps = Omit<ComponentProps<typeof Primitive.Content>, "title"> & {
  title: ReactNode;
  /** Leave out and it is announced by its title alone. */
  description?: ReactNode;
  /** Keeps title and description for screen readers only. */
  hideHeader?: boolean;
  /** False: without the button in the corner, for what must not be closed by accident. */
  closable?: boolean;
};

type Looks = { header: string; description: string; close: string };

/** A layer over the page: its title, a button to close it, and the focus that returns to where it was. */
export function ModalContent({
  title,
  description,
  hideHeader,
  closable = !hideHeader,
  looks,
  children,
  ...props
}: ModalContentProps & { looks: Looks }) {
  const { from, handlers } = useReturnFocus(props);
  const { typed, question } = useModal();
  return (
    <Primitive.Portal>
      <Primitive.Overlay className={overlayClasses} />
      <Primitive.Content
        {...(description ? {} : { "aria-describedby": undefined })}
        {...props}
        {...handlers}
        onFocusCapture={typed.see}
        onKeyDown={(event) => {
          props.onKeyDown?.(event);
          submitOnCommandEnter(event);
        }}
      >
        <FocusOrigin from={from} />
        <div className={cn(looks.header, hideHeader && "sr-only")}>
          <Primitive.Title className="wrap-anywhere font-semibold text-lg">{title}</Primitive.Title>
          {description ? (
            <Primitive.Description className={cn("text-muted-foreground", looks.description)}>
              {description}
            </Primitive.Description>
          ) : null}
        </div>
        {children}
        {question}
        {closable ? (
          <Primitive.Close
            aria-label="Close"
            className={cn(
              "absolute right-3 grid size-8 place-items-center rounded-md text-muted-foreground hover:bg-hover hover:text-foreground",
              looks.close,
            )}
          >
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        ) : null}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

/** Saves the form that the focus is in. */
function submitOnCommandEnter(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
  const { currentTarget, target } = event;
  const form = target instanceof Element && currentTarget.contains(target) ? target.closest("form") : null;
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
}
