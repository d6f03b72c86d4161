/** All that the page one opens first can do without; where this fails, whoever needs it tries again. */
export const further = () => import('./lazy-pages.ts');
