/** Tells of what went wrong inside the local cloud itself, where no caller is left to be told. */
export type OnFault = (where: string, error: unknown) => void;
