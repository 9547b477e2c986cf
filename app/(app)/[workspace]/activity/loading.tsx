export { ActivityLoading as default } from "#components/frame/loading-pages.tsx";
