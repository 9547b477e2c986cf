import type { INodeType, INodeTypeDescription } from "n8n-workflow";
import { actions } from "./actions.ts";

export class Rapport implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Rapport",
    name: "rapport",
    icon: "file:rapport.svg",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"]}}',
    description: "Read and write what is known about people and companies",
    defaults: { name: "Rapport" },
    usableAsTool: true,
    inputs: ["main"],
    outputs: ["main"],
    credentials: [{ name: "rapportApi", required: true }],
    requestDefaults: { baseURL: "={{$credentials.url}}" },
    properties: actions,
  };
}
