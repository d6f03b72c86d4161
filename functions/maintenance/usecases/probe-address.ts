/** Of every response of the service; a parked domain or another server behind the name sends none. */
const REQUEST_ID = 'x-request-id';

/** Requests a public page as a client would. Rejects if a name, certificate or firewall prevents it, or the service does. */
export const probeAddress = async (address: string, timeoutMs: number): Promise<void> => {
  const { status, headers } = await fetch(address, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (status !== 200) throw new Error(`The status is ${status}, not 200.`);
  if (!headers.has(REQUEST_ID)) throw new Error(`The response has no ${REQUEST_ID}: another server sent it.`);
};
