export { TriggersLoading as default } from "#components/frame/loading-pages.tsx";
