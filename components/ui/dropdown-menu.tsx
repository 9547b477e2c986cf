"use client";

import type * as Primitive from "radix-ui/dropdown-menu";
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefCallback,
  type RefObject,
  use,
  useCallback,
  useId,
  useRef,
  useState,
} from "react";
import { cn } from "./cn.ts";
import { lazyPanel, useOpened } from "./lazy-panel.ts";
import type { ItemProps } from "./menu-panel.tsx";
import { Slot } from "./slot.ts";

/*
 * A page has many menus and hardly ever opens one: it starts with their triggers alone. The content of a menu
 * (menu-panel.tsx) loads when the pointer or the focus comes near the first trigger, or when the browser has nothing
 * else to do.
 */
type Panel = typeof import("./menu-panel.tsx");

const { preload, usePanel: useMenuPanel } = lazyPanel<Panel>("The menu", () => import("./menu-panel.tsx"));

type MenuState = Pick<ComponentProps<typeof Primitive.Root>, "dir"> & {
  open: boolean;
  setOpen: (open: boolean) => void;
  modal: boolean;
  /** Set from the first opening on. */
  panel: Panel | null;
  trigger: RefObject<HTMLElement | null>;
  /** Until a pointer opens it. */
  byKey: RefObject<boolean>;
  triggerId: string;
  panelId: string;
};

const MenuContext = createContext<MenuState | null>(null);

function useMenu(): MenuState {
  const menu = use(MenuContext);
  if (!menu) throw new Error("The parts of a DropdownMenu stand inside of it.");
  return menu;
}

/** Of its own: the items of a menu are not drawn again when it opens or closes. */
const PanelContext = createContext<Panel | null>(null);

/** The parts inside the content exist only once the panel is loaded. */
function usePanel(): Panel {
  const panel = use(PanelContext);
  if (!panel) throw new Error("Items of a DropdownMenu stand inside its content.");
  return panel;
}

/** Not modal: the page behind keeps its scroll and stays readable to assistive technology. */
export function DropdownMenu({
  open: given,
  defaultOpen = false,
  byPointer = false,
  onOpenChange,
  modal = false,
  dir,
  children,
}: ComponentProps<typeof Primitive.Root> & {
  /** With `defaultOpen`: a pointer opened it, so that no entry is marked. */
  byPointer?: boolean;
}) {
  const [own, setOwn] = useState(defaultOpen);
  const trigger = useRef<HTMLElement>(null);
  const byKey = useRef(!byPointer);
  const id = useId();
  const open = given ?? own;

  function setOpen(next: boolean) {
    if (next === open) return;
    if (!next) byKey.current = true;
    setOwn(next);
    onOpenChange?.(next);
  }

  const panel = useMenuPanel(open, () => setOpen(false));
  return (
    <MenuContext
      value={{ open, setOpen, modal, dir, panel, trigger, byKey, triggerId: `${id}-trigger`, panelId: `${id}-menu` }}
    >
      <PanelContext value={panel}>{children}</PanelContext>
    </MenuContext>
  );
}

export function DropdownMenuTrigger({
  asChild,
  disabled = false,
  ref,
  ...props
}: ComponentProps<typeof Primitive.Trigger>) {
  const { open, setOpen, panel, trigger, byKey, triggerId, panelId } = useMenu();
  const Element = asChild ? Slot : "button";

  const attach: RefCallback<HTMLButtonElement> = useCallback(
    (element) => {
      trigger.current = element;
      if (typeof ref === "function") return ref(element);
      if (ref) ref.current = element;
    },
    [ref, trigger],
  );

  return (
    <Element
      type="button"
      id={triggerId}
      aria-haspopup="menu"
      aria-expanded={open}
      aria-controls={open && panel ? panelId : undefined}
      data-state={open ? "open" : "closed"}
      data-disabled={disabled ? "" : undefined}
      disabled={disabled}
      {...props}
      ref={attach}
      onPointerEnter={(event) => {
        props.onPointerEnter?.(event);
        preload();
      }}
      onFocus={(event) => {
        props.onFocus?.(event);
        preload();
      }}
      onPointerDown={(event) => {
        props.onPointerDown?.(event);
        if (event.defaultPrevented || disabled || event.button !== 0 || event.ctrlKey) return;
        byKey.current = false;
        setOpen(!open);
        // The focus goes into the opening menu, and must not be taken back.
        if (!open) event.preventDefault();
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event);
        if (event.defaultPrevented || disabled || !["Enter", " ", "ArrowDown"].includes(event.key)) return;
        event.preventDefault();
        setOpen(event.key === "ArrowDown" || !open);
      }}
      onClick={(event) => {
        props.onClick?.(event);
        if (event.defaultPrevented || disabled || event.detail !== 0) return;
        // A click without a pointer: a shortcut, assistive technology, or voice control.
        setOpen(true);
      }}
    />
  );
}

export function DropdownMenuContent(props: ComponentProps<typeof Primitive.Content>) {
  const { open, setOpen, modal, dir, panel, trigger, byKey, triggerId, panelId } = useMenu();
  const opened = useOpened(open && panel !== null);
  if (!panel) return null;
  return (
    <panel.MenuPanel
      id={panelId}
      aria-labelledby={triggerId}
      {...props}
      open={opened}
      onOpenChange={setOpen}
      modal={modal}
      dir={dir}
      trigger={trigger}
      byKey={byKey}
    />
  );
}

export function DropdownMenuRadioGroup(props: ComponentProps<typeof Primitive.RadioGroup>) {
  const { RadioGroup } = usePanel();
  return <RadioGroup {...props} />;
}

/** With `asChild` the only child is the item: a link, say. */
export function DropdownMenuItem(props: ItemProps) {
  const { Item } = usePanel();
  return <Item {...props} />;
}

export function DropdownMenuCheckboxItem(props: ComponentProps<typeof Primitive.CheckboxItem>) {
  const { CheckboxItem } = usePanel();
  return <CheckboxItem {...props} />;
}

export function DropdownMenuRadioItem(props: ComponentProps<typeof Primitive.RadioItem>) {
  const { RadioItem } = usePanel();
  return <RadioItem {...props} />;
}

export function DropdownMenuLabel({ className, children }: { className?: string; children: ReactNode }) {
  const { Label } = usePanel();
  return <Label className={cn("px-2 py-1.5 text-muted-foreground text-sm", className)}>{children}</Label>;
}

export function DropdownMenuSeparator() {
  const { Separator } = usePanel();
  return <Separator className="-mx-1 my-1 h-px bg-border" />;
}
