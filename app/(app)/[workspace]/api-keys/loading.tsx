export { ApiKeysLoading as default } from "#components/frame/loading-pages.tsx";
