import type { Evaluation } from '@tamis/scheduler-model/evaluation.js';

/** An evaluation as returned by the API, which omits empty fields. */
export type EvaluationView = Pick<Evaluation, 'ID' | 'JobID' | 'Status'> & Partial<Evaluation>;
