/** The icons of the pages that load later, in a file of their own, because a file is never split. */
export { default as ArrowDown } from '../node_modules/lucide-preact/dist/esm/icons/arrow-down.mjs';
export { default as ArrowLeft } from '../node_modules/lucide-preact/dist/esm/icons/arrow-left.mjs';
export { default as ArrowRight } from '../node_modules/lucide-preact/dist/esm/icons/arrow-right.mjs';
export { default as ArrowUp } from '../node_modules/lucide-preact/dist/esm/icons/arrow-up.mjs';
export { default as Bookmark } from '../node_modules/lucide-preact/dist/esm/icons/bookmark.mjs';
export { default as Clock } from '../node_modules/lucide-preact/dist/esm/icons/clock.mjs';
export { default as ImageOff } from '../node_modules/lucide-preact/dist/esm/icons/image-off.mjs';
export { default as LayoutGrid } from '../node_modules/lucide-preact/dist/esm/icons/layout-grid.mjs';
export { default as List } from '../node_modules/lucide-preact/dist/esm/icons/list.mjs';
export { default as Pencil } from '../node_modules/lucide-preact/dist/esm/icons/pencil.mjs';
export { default as Plus } from '../node_modules/lucide-preact/dist/esm/icons/plus.mjs';
export { default as RotateCcw } from '../node_modules/lucide-preact/dist/esm/icons/rotate-ccw.mjs';
export { default as Share2 } from '../node_modules/lucide-preact/dist/esm/icons/share-2.mjs';
export { default as StepForward } from '../node_modules/lucide-preact/dist/esm/icons/step-forward.mjs';
export { default as Trash2 } from '../node_modules/lucide-preact/dist/esm/icons/trash.mjs';
