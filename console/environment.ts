/** The path of the API stage, such as `/prod` or empty, which the server writes into the page. */
export const PREFIX = document.documentElement.dataset.base ?? '';

export const CONSOLE_BASE = `${PREFIX}/console`;

/** The file with the styles of the pages that load later. */
export const PAGE_STYLES = `${CONSOLE_BASE}/assets/${document.documentElement.dataset.pageStyles ?? ''}`;
