export { DeliveriesLoading as default } from "#components/frame/loading-pages.tsx";
