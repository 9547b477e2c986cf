export { LeadsLoading as default } from "#components/frame/loading-pages.tsx";
