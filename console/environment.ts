/** The path that the stage has, `/prod` or nothing: the server writes it into the page. */
export const PREFIX = document.documentElement.dataset.base ?? '';

export const CONSOLE_BASE = `${PREFIX}/console`;
