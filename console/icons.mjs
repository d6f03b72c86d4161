/** The icons of the first page. The build resolves `lucide-preact` to this file, because the package's index imports 1,800 files. */
export { default as BookOpen } from '../node_modules/lucide-preact/dist/esm/icons/book-open.mjs';
export { default as ChartColumn } from '../node_modules/lucide-preact/dist/esm/icons/chart-column.mjs';
export { default as Check } from '../node_modules/lucide-preact/dist/esm/icons/check.mjs';
export { default as CircleAlert } from '../node_modules/lucide-preact/dist/esm/icons/circle-alert.mjs';
export { default as Copy } from '../node_modules/lucide-preact/dist/esm/icons/copy.mjs';
export { default as Download } from '../node_modules/lucide-preact/dist/esm/icons/download.mjs';
export { default as Ellipsis } from '../node_modules/lucide-preact/dist/esm/icons/ellipsis.mjs';
export { default as Film } from '../node_modules/lucide-preact/dist/esm/icons/film.mjs';
export { default as Image } from '../node_modules/lucide-preact/dist/esm/icons/image.mjs';
export { default as ImagePlus } from '../node_modules/lucide-preact/dist/esm/icons/image-plus.mjs';
export { default as Images } from '../node_modules/lucide-preact/dist/esm/icons/images.mjs';
export { default as KeyRound } from '../node_modules/lucide-preact/dist/esm/icons/key-round.mjs';
export { default as LogOut } from '../node_modules/lucide-preact/dist/esm/icons/log-out.mjs';
export { default as Settings } from '../node_modules/lucide-preact/dist/esm/icons/settings.mjs';
export { default as Webhook } from '../node_modules/lucide-preact/dist/esm/icons/webhook.mjs';
export { default as X } from '../node_modules/lucide-preact/dist/esm/icons/x.mjs';
