import type {
  IDataObject,
  IHookFunctions,
  IHttpRequestMethods,
  ILoadOptionsFunctions,
  INodePropertyOptions,
  INodeType,
  INodeTypeDescription,
  IWebhookFunctions,
  IWebhookResponseData,
} from "n8n-workflow";
import { isSigned } from "./signature.ts";

const TRIGGERS = "/v2/workspace/triggers";

/** What is kept with the workflow: the trigger on the server, and the secret that it signs with. */
type WorkflowData = { id?: string; secret?: string };

type CreatedTrigger = { trigger: { id: string }; secret: string | null };

async function request<T>(
  from: IHookFunctions | ILoadOptionsFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
): Promise<T> {
  const { url } = await from.getCredentials<{ url: string }>("rapportApi");
  const options = { method, url: url + path, json: true, ...(body ? { body } : {}) };
  return (await from.helpers.httpRequestWithAuthentication.call(from, "rapportApi", options)) as T;
}

const create = (from: IHookFunctions): Promise<CreatedTrigger> =>
  request<CreatedTrigger>(from, "POST", TRIGGERS, {
    url: from.getNodeWebhookUrl("default"),
    events: from.getNodeParameter("events") as string[],
    name: `n8n: ${from.getWorkflow().name ?? ""}`.slice(0, 100),
  });

const remove = (from: IHookFunctions, id: string): Promise<unknown> => request(from, "DELETE", `${TRIGGERS}/${id}`);

/** Whether the server has the trigger that this workflow made. */
async function exists(from: IHookFunctions): Promise<boolean> {
  const { id, secret } = from.getWorkflowStaticData("node") as WorkflowData;
  if (id === undefined || secret === undefined) return false;
  const { triggers } = await request<{ triggers: { id: string }[] }>(from, "GET", TRIGGERS);
  return triggers.some((trigger) => trigger.id === id);
}

export class RapportTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Rapport Trigger",
    name: "rapportTrigger",
    icon: "file:rapport.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: "Starts the workflow when something changes in Rapport",
    defaults: { name: "Rapport Trigger" },
    inputs: [],
    outputs: ["main"],
    credentials: [{ name: "rapportApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook", rawBody: true }],
    properties: [
      {
        displayName: "Event Names or IDs",
        name: "events",
        type: "multiOptions",
        typeOptions: { loadOptionsMethod: "getEvents" },
        required: true,
        default: [],
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
      },
    ],
  };

  methods = {
    loadOptions: {
      async getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        type EventList = { events: { type: string; label: string; description: string; alias_of: string | null }[] };
        const { events } = await request<EventList>(this, "GET", "/v2/workspace/trigger-events");
        return events
          .filter(({ alias_of }) => alias_of === null)
          .map(({ type, label, description }) => ({ name: label, value: type, description }));
      },
    },
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await exists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        let { trigger, secret } = await create(this);
        if (secret === null) {
          // One with this address was left over. Its secret is not shown again.
          await remove(this, trigger.id);
          ({ trigger, secret } = await create(this));
        }
        Object.assign(this.getWorkflowStaticData("node"), { id: trigger.id, secret });
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const kept = this.getWorkflowStaticData("node") as WorkflowData;
        if (await exists(this)) await remove(this, kept.id as string);
        delete kept.id;
        delete kept.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData("node") as WorkflowData;
    const { rawBody } = this.getRequestObject();
    if (!isSigned(secret ?? "", rawBody, this.getHeaderData() as Record<string, string | undefined>, new Date())) {
      this.getResponseObject().status(401).json({ error: "invalid_signature" });
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}
