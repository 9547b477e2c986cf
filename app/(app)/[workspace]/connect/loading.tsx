export { ConnectLoading as default } from "#components/frame/loading-pages.tsx";
