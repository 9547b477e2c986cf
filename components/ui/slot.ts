import {
  type AriaAttributes,
  Children,
  cloneElement,
  type DOMAttributes,
  isValidElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefCallback,
  useCallback,
} from "react";

type Props = Record<string, unknown>;

export type SlotProps = AriaAttributes &
  DOMAttributes<HTMLElement> & {
    // biome-ignore lint/suspicious/noExplicitAny: the caller of the slot knows which element it becomes
    ref?: Ref<any> | undefined;
    className?: string | undefined;
    /** One element. */
    children?: ReactNode;
  };

/**
 * Renders its only child with the props added. The child's own props win, except that handlers of both run, the child's
 * first, and classes and refs of both apply.
 */
export function Slot({ children, ref, ...props }: SlotProps): ReactNode {
  // Also unwraps a lazy child of a server component.
  const [child, ...others] = Children.toArray(children);
  const joined = useJoinedRef(ref, isValidElement<Props>(child) ? (child.props.ref as Ref<unknown>) : undefined);
  if (!isValidElement<Props>(child) || others.length > 0) throw new Error("A slot takes exactly one element.");
  return cloneElement(child as ReactElement<Props>, { ...joinProps(props as Props, child.props), ref: joined });
}

function joinProps(outer: Props, own: Props): Props {
  const joined: Props = { ...outer, ...own };
  for (const [name, value] of Object.entries(outer)) {
    const ownValue = own[name];
    if (value === undefined || ownValue === undefined) joined[name] = ownValue ?? value;
    else if (name === "className") joined[name] = `${value} ${ownValue}`;
    else if (name === "style") joined[name] = { ...value, ...ownValue };
    else if (typeof value === "function" && typeof ownValue === "function" && /^on[A-Z]/.test(name)) {
      joined[name] = (...given: unknown[]) => {
        ownValue(...given);
        value(...given);
      };
    }
  }
  return joined;
}

function useJoinedRef(outer: Ref<unknown> | undefined, own: Ref<unknown> | undefined): Ref<unknown> | undefined {
  const both: RefCallback<unknown> = useCallback(
    (node) => {
      const endOuter = attach(outer, node);
      const endOwn = attach(own, node);
      return () => {
        endOuter();
        endOwn();
      };
    },
    [outer, own],
  );
  return outer && own ? both : (outer ?? own);
}

/** Returns a function that detaches it. */
function attach(ref: Ref<unknown> | undefined, node: unknown): () => void {
  if (typeof ref === "function") {
    const end = ref(node);
    return typeof end === "function" ? end : () => void ref(null);
  }
  if (ref) ref.current = node;
  return () => {
    if (ref) ref.current = null;
  };
}
