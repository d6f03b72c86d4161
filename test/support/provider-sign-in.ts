import { type Answer, call } from './http.ts';
import { FROM_PAGE } from './sessions.ts';

/** A browser with cookies by origin, which follows redirects only when it is told to. */
export const openBrowser = (baseUrl: string) => {
  const jars = new Map<string, Map<string, string>>();

  const jarFor = (url: string): Map<string, string> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  const cookieHeader = (url: string): string =>
    [...jarFor(url)].map(([name, value]) => `${name}=${value}`).join('; ');

  /** One request, whose cookies are kept. */
  const visit = async (url: string, headers: Record<string, string> = {}): Promise<Response> => {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: cookieHeader(url), ...headers },
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const end = pair.indexOf('=');
      if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jarFor(url).delete(pair.slice(0, end));
      else jarFor(url).set(pair.slice(0, end), pair.slice(end + 1));
    }
    return response;
  };

  const location = (response: Response, from: string): string => {
    const found = response.headers.get('location');
    if (found === null) throw new Error(`no redirect from ${from}: ${response.status}`);
    return new URL(found, from).href;
  };

  /** Goes to the provider and through its pages, and returns the address of the callback without visiting it. */
  const goThroughProvider = async (query = ''): Promise<string> => {
    let url = `${baseUrl}/v1/console/sign_in/start${query}`;
    for (let steps = 0; steps < 10; steps += 1) {
      url = location(await visit(url, FROM_PAGE), url);
      if (url.startsWith(baseUrl)) return url;
    }
    throw new Error(`the provider leads nowhere: ${url}`);
  };

  return {
    visit,
    goThroughProvider,
    /** Signs in; returns the path to which the callback leads. */
    signIn: async (query = ''): Promise<string> => {
      const callback = await goThroughProvider(query);
      const page = location(await visit(callback), callback);
      return page.slice(baseUrl.length);
    },
    /** How the console's page calls the service. */
    call: async (method: string, path: string, json?: unknown): Promise<Answer> => {
      const answer = await call({ baseUrl, apiKey: '' }, method, path, {
        headers: { ...FROM_PAGE, cookie: cookieHeader(baseUrl) },
        ...(json === undefined ? {} : { json }),
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [pair = ''] = cookie.split(';');
        const end = pair.indexOf('=');
        jarFor(baseUrl).set(pair.slice(0, end), pair.slice(end + 1));
      }
      return answer;
    },
    cookies: () => jarFor(baseUrl),
  };
};

export type TestBrowser = ReturnType<typeof openBrowser>;
