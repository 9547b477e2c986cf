export { ImportLoading as default } from "#components/frame/loading-pages.tsx";
