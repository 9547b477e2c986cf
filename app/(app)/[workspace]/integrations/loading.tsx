export { IntegrationsLoading as default } from "#components/frame/loading-pages.tsx";
