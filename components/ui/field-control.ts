import { createContext, useContext } from "react";

export type FieldControl = {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  invalid: boolean;
  required: boolean;
};

/** What a Field tells the control in it. */
export const FieldContext = createContext<FieldControl | null>(null);

type ControlAttributes = {
  id?: string | undefined;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: boolean | "true" | "false" | "grammar" | "spelling" | undefined;
  "aria-required"?: boolean | "true" | "false" | undefined;
};

/** The accessibility attributes of a control inside a Field; attributes that the caller gave win. */
export function useFieldControl(attributes: ControlAttributes): ControlAttributes {
  const field = useContext(FieldContext);
  if (!field) return attributes;
  return {
    id: attributes.id ?? field.id,
    "aria-describedby": attributes["aria-describedby"] ?? field.describedBy,
    "aria-invalid": attributes["aria-invalid"] ?? (field.invalid || undefined),
    "aria-required": attributes["aria-required"] ?? (field.required || undefined),
  };
}

/** The id of the surrounding Field's label, for controls that a <label for> cannot name. */
export function useFieldLabelId(): string | undefined {
  return useContext(FieldContext)?.labelId;
}
