export const MAX_NAME_CHARACTERS = 100;

const NAME = new RegExp(`^\\P{Cc}{1,${MAX_NAME_CHARACTERS}}$`, 'u');

export const NAME_RULE = `must have 1 to ${MAX_NAME_CHARACTERS} characters, none of them a control character.`;

/** Whether a person may choose this name. */
export const isName = (text: string): boolean => NAME.test(text) && text.trim() !== '';
