export { AccountLoading as default } from "#components/frame/loading-pages.tsx";
