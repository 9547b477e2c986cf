import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from "n8n-workflow";

export class RapportApi implements ICredentialType {
  name = "rapportApi";

  displayName = "Rapport API";

  icon: Icon = "file:../nodes/Rapport/rapport.svg";

  documentationUrl = "https://www.npmjs.com/package/n8n-nodes-rapport";

  properties: INodeProperties[] = [
    {
      displayName: "Server",
      name: "url",
      type: "string",
      default: "",
      required: true,
      placeholder: "e.g. https://rapport.example.com",
      description: "Address of your server, without a slash at the end",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "Made on the page API keys. The trigger needs the scope admin.",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: {
      headers: { Authorization: "=Bearer {{$credentials.apiKey}}", "x-service-client": "n8n-nodes-rapport" },
    },
  };

  test: ICredentialTestRequest = { request: { baseURL: "={{$credentials.url}}", url: "/v2/me" } };
}
