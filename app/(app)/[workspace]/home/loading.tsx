export { HomeLoading as default } from "#components/frame/loading-pages.tsx";
