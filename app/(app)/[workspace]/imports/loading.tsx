export { ImportsLoading as default } from "#components/frame/loading-pages.tsx";
