export { CompaniesLoading as default } from "#components/frame/loading-pages.tsx";
