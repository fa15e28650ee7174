// A client for the labour market data API. It uses the types that openapi-typescript generates from
// the OpenAPI document. A list can be read row by row over all its pages. After a 429 or an error of
// the server the client waits and sends the request again. It collects the attribution statements.
import type { paths } from "./api";

/** The paths that answer a GET with a list of rows. */
type Lists = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { "application/json": { data: unknown[] } } } } } } ? P : never;
}[keyof paths];
type Get<P extends Lists> = paths[P] extends { get: infer G } ? G : never;
/** Any number is accepted for a parameter with numbers, so that a value from a row, such as its level, can be used. */
type Loose<T> = T extends number ? number : T;
type Query<P extends Lists> = Get<P> extends { parameters: { query?: infer Q } } ? { [K in keyof NonNullable<Q>]: Loose<NonNullable<Q>[K]> } : Record<string, never>;
type Body<P extends Lists> = Get<P> extends { responses: { 200: { content: { "application/json": infer B } } } } ? B : never;
export type Row<P extends Lists> = Body<P> extends { data: (infer R)[] } ? R : never;
/** The metadata of a response. meta.people has the year that figures about people describe. */
export type Meta<P extends Lists> = Body<P> extends { meta: infer M } ? M : never;

/** An error response of the API. */
export class ServiceError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly requestId: string) {
    super(`${code}: ${message} (${requestId})`);
  }
}

export class Client {
  /** Both waits are in seconds. If Retry-After asks for more than longestWait, the error is thrown at once. */
  constructor(private readonly base: string, private readonly key: string, private readonly longestWait = 3600, private readonly firstWait = 1) {}

  /** Yields every page of a list. */
  async *pages<P extends Lists>(path: P, query: Query<P> = {} as Query<P>): AsyncGenerator<Body<P>> {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
    for (;;) {
      const page = await this.get(`${String(path)}?${parameters}`);
      yield page as Body<P>;
      const { next_cursor, page: number, limit, total } = page.meta;
      if (next_cursor) parameters.set("cursor", next_cursor);
      else if (total !== undefined && number * limit < total) parameters.set("page", String(number + 1));
      else return;
    }
  }

  /** Yields every row of a list, page by page. */
  async *rows<P extends Lists>(path: P, query: Query<P> = {} as Query<P>): AsyncGenerator<Row<P>> {
    for await (const page of this.pages(path, query)) yield* (page as { data: Row<P>[] }).data;
  }

  /** Reads every row of a list, with the statements to show with them and the metadata of the last page. */
  async all<P extends Lists>(path: P, query: Query<P> = {} as Query<P>): Promise<{ rows: Row<P>[]; attribution: string[]; meta: Meta<P> }> {
    const rows: Row<P>[] = [], attribution = new Set<string>();
    let meta!: Meta<P>;
    for await (const page of this.pages(path, query) as AsyncGenerator<any>) {
      for (const source of page.sources ?? []) attribution.add(source.attribution_statement);
      for (const row of page.data) if (row.attribution_statement) attribution.add(row.attribution_statement);
      rows.push(...page.data);
      meta = page.meta;
    }
    return { rows, attribution: [...attribution], meta };
  }

  /** Makes one call and decodes the JSON of the response. */
  async get(target: string): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.base + target, { headers: { Authorization: `Bearer ${this.key}` } });
      if (response.ok) return response.json();
      const wait = this.wait(response, attempt);
      if (wait === undefined) throw await errorOf(response);
      await response.body?.cancel();
      await new Promise((done) => setTimeout(done, wait * 1000));
    }
  }

  /** Returns the seconds to wait before the next attempt: as Retry-After says, or else twice as long after each attempt. Undefined = no further attempt. */
  private wait(response: Response, attempt: number): number | undefined {
    if (response.status !== 429 && response.status < 500) return undefined;
    const asked = secondsOf(response.headers.get("Retry-After") ?? "");
    if (asked > 0) return asked <= this.longestWait ? asked : undefined;
    if (attempt >= attempts) return undefined;
    return Math.min(this.longestWait, this.firstWait * 2 ** (attempt - 1) * (0.8 + 0.4 * Math.random()));
  }
}

/** The largest number of attempts without Retry-After. */
const attempts = 6;

/** Returns the wait in seconds that the header Retry-After states: a number, or a date as a proxy may send it. */
function secondsOf(retryAfter: string): number {
  const at = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(at) ? 0 : Math.max(0, at);
}

/** Returns the error of a response. The body may be no JSON, if a proxy in front of the server sent it. */
async function errorOf(response: Response): Promise<ServiceError> {
  const body = (await response.json().catch(() => ({}))) as any;
  const { code = "unknown", message = response.statusText, request_id = "" } = body.error ?? {};
  return new ServiceError(response.status, code, message, request_id);
}
