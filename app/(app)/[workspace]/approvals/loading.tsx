export { ApprovalsLoading as default } from "#components/frame/loading-pages.tsx";
