/** The path of the API stage, such as `/prod` or empty, which the server writes into the page. */
export const PREFIX = document.documentElement.dataset.base ?? '';

export const CONSOLE_BASE = `${PREFIX}/console`;
