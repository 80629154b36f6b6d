// What the library answers. A test assigns real answers to these types.

export interface Range { low: number; expected: number; high: number }
export type Verdict = 'fits' | 'tight' | 'offload' | 'does-not-fit';

/** Bytes by part, as low, expected and high. */
export interface Parts {
  weights_bytes: Range;
  kv_bytes: Range;
  state_bytes: Range;
  compute_bytes: Range;
  overhead_bytes: Range;
  output_bytes: Range;
  total_bytes: Range;
}

export interface DeviceEstimate extends Parts {
  name: string;
  kind: 'gpu' | 'host';
  capacity_bytes: number;
  free_bytes: number;
  used_fraction: number;
  verdict: Verdict;
}

/** One reason for one figure. */
export interface Term {
  part: string;
  device: number;
  bytes: Range;
  formula: string;
  source: string;
  values: Record<string, number>;
}

export interface Remark { id: string; values: number[]; text?: string }

export interface BatchPoint { sequences: number; tokens_per_second: Range; per_sequence: number; limit: string }

/** What does the pool of a serving engine hold? */
export interface Serving { pool_bytes: number; block_tokens: number; blocks: number; tokens: number; concurrency: number; /** what the engine itself would print */ lines: string[] }

export interface Estimate extends Parts {
  model: string;
  artifact: string | null;
  quantization: string | null;
  engine: string;
  parameters: number;
  verdict: Verdict;
  kv_mha_bytes: number;
  kv_saving_fraction: number;
  recommended_hardware: string | null;
  download_bytes: number;
  download_is_exact: boolean;
  artifact_tensor_bytes: number;
  max_context_tokens: number;
  max_sequences: number;
  decode_tokens_per_second: Range;
  prefill_tokens_per_second: Range;
  first_token_seconds: number;
  decode_limit: string;
  decode_shares: Record<string, number>;
  prefill_limit: string;
  prefill_shares: Record<string, number>;
  speed_extrapolated: boolean;
  max_users: number;
  max_users_limit: string;
  batches: BatchPoint[];
  serving?: Serving;
  devices: DeviceEstimate[];
  terms: Term[];
  assumptions: Remark[];
  warnings: Remark[];
}
