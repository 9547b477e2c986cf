export { NotesLoading as default } from "#components/frame/loading-pages.tsx";
