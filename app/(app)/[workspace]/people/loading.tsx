export { PeopleLoading as default } from "#components/frame/loading-pages.tsx";
