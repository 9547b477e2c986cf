export {
  cancelBulkAction,
  createBulkAction,
  forgetInBulkActions,
  getBulkAction,
  listBulkActions,
  undoBulkAction,
} from "./service/bulk-actions.ts";
