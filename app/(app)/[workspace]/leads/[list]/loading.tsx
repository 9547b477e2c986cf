export { LeadListLoading as default } from "#components/frame/loading-pages.tsx";
