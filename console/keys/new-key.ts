/** The value of the key that was made last. It lives in the page's memory only, and goes with it. */
let value: string | undefined;

export const rememberNewKey = (created: string | undefined): void => {
  value = created;
};

export const newKeyValue = (): string | undefined => value;
