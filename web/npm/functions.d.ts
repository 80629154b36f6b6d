import type { EstimateRequest } from './request.js';
import type { Estimate } from './estimate.js';

export * from './request.js';
export * from './estimate.js';

/** A request, or the address of the page with one. */
export type Asked = EstimateRequest | string | URL;
export type Bytes = ArrayBuffer | ArrayBufferView;

export interface FaultDetails { code: string; where: string; message: string; errors?: FaultDetails[] }
export class CoreError extends Error { constructor(details: FaultDetails); details: FaultDetails }
export class InspectError extends Error { constructor(details: FaultDetails); details: FaultDetails }

export interface SolveAnswers {
  'max-context': { max_context_tokens: number; native_context: number };
  'max-sequences': { max_sequences: number };
  'max-users': Pick<Estimate, 'max_users' | 'max_users_limit' | 'batches'> & { user_rate: number };
  hardware: { recommended_hardware: string | null };
}

/** A change that helps: merge `set` into the request; null goes back to the default. */
export interface AdviceStep {
  kinds: string[];
  set: Record<string, string | number | boolean | null>;
  suffices: boolean;
  verdict: Estimate['verdict'];
  saved_bytes: number;
  room_bytes: number;
  [key: string]: unknown;
}
export interface Advice { goal: 'fits' | 'tight'; verdict: Estimate['verdict']; missing_bytes: number; steps: AdviceStep[]; [key: string]: unknown }

export interface ListEntry { id: string; name?: string; [key: string]: unknown }
export interface Rows { rows: Array<Record<string, unknown>>; all: number; estimates: number }
export interface Field {
  key: string;
  kind: 'id' | 'integer' | 'real' | 'boolean' | 'choice' | 'list';
  unit: string;
  default: string;
  help: string;
  minimum?: number;
  maximum?: number;
  choices?: string[];
  aliases?: string[];
}
export type ListKind = 'models' | 'artifacts' | 'hardware' | 'engines' | 'quantizations';

/** A file read by ranges; an empty array says that it ends there. */
export interface RangedFile { name?: string; size?: number; read(offset: number, length: number): Promise<Uint8Array> }
export type Inspected = Blob | RangedFile | ReadableStream<Uint8Array>;
export interface InspectOptions { /** of a stream or nameless blob */ name?: string; wasm?: Bytes | string | URL }

interface Questions {
  advise: { goal?: 'fits' | 'tight' };
  fit: { keep_context?: boolean; margin_mib?: number; min_context?: number };
  models: Record<string, string | number | boolean>;
  devices: Record<string, string | number | boolean>;
}

export class Vramscope {
  estimate(request?: Asked): Estimate;
  solve<W extends keyof SolveAnswers>(what: W, request?: Asked): SolveAnswers[W];
  advise(request?: Asked, options?: Questions['advise']): Advice;
  fit(request?: Asked, options?: Questions['fit']): Record<string, unknown>;
  models(request?: Asked, options?: Questions['models']): Rows;
  devices(request?: Asked, options?: Questions['devices']): Rows;
  list(kind: ListKind): ListEntry[];
  show(id: string): Record<string, unknown>;
  fields(): Field[];
  version(): { version: string; schema: number; catalog_version: string; catalog_date: string; catalog_hash: string };
  inspect(source: Inspected | Inspected[], options?: InspectOptions): Promise<Record<string, unknown>>;
}

export interface LoadOptions { wasm?: Bytes | string | URL; /** a snapshot's text, its bytes or address */ catalog?: string | URL | Bytes }
export function load(options?: LoadOptions): Promise<Vramscope>;

export function estimate(request?: Asked): Promise<Estimate>;
export function solve<W extends keyof SolveAnswers>(what: W, request?: Asked): Promise<SolveAnswers[W]>;
export function advise(request?: Asked, options?: Questions['advise']): Promise<Advice>;
export function fit(request?: Asked, options?: Questions['fit']): Promise<Record<string, unknown>>;
export function models(request?: Asked, options?: Questions['models']): Promise<Rows>;
export function devices(request?: Asked, options?: Questions['devices']): Promise<Rows>;
export function list(kind: ListKind): Promise<ListEntry[]>;
export function show(id: string): Promise<Record<string, unknown>>;
export function fields(): Promise<Field[]>;
export function inspect(source: Inspected | Inspected[], options?: InspectOptions): Promise<Record<string, unknown>>;
