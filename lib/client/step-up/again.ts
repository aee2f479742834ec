import { CallError } from '@/lib/client/call-error'
import type { Answered, Asker, Question } from './question'

type Asking = { question: Question; ask: Asker }

let open: Promise<Answered> | null = null

/** Shows one prompt at a time. A request that arrives during a prompt is sent again afterwards: the proof may be enough for both. */
async function inTurn({ ask, question }: Asking): Promise<Answered | 'resend'> {
  if (open) {
    await open
    return 'resend'
  }
  open = ask(question)
  try {
    return await open
  } finally {
    open = null
  }
}

const notConfirmed = () => new CallError('step_up_needed', 'Not confirmed. Nothing was sent.', { local: true })

const environmentIn = (url: string): string => /^\/api\/([a-z]+)\//.exec(url)?.[1] ?? ''

/** Returns the headers for the repeated request. Throws `step_up_needed` if the person did not confirm. */
function headersOf(answered: Answered | 'resend'): Record<string, string> {
  if (answered === null) throw notConfirmed()
  return typeof answered === 'string' ? {} : { 'Step-Up': answered.proof }
}

/** Returns the prompt that a refused request requires. Rethrows every other error. */
function questionIn(cause: unknown, environment: string, isAgain: boolean, ask: Asker): Asking {
  if (!(cause instanceof CallError) || !cause.stepUp) throw cause
  return { question: { asked: cause.stepUp, detail: cause.message, environment, isAgain }, ask }
}

/** Continues a request that the API refused for lack of a proof: prompts the person and sends it again, as often as the API requires. */
export async function sendConfirmed<T>(
  url: string,
  send: (headers: Record<string, string>) => Promise<T>,
  { refused, ask }: { refused: unknown; ask: Asker },
): Promise<T> {
  let cause = refused
  let isAgain = false
  for (;;) {
    const answered = await inTurn(questionIn(cause, environmentIn(url), isAgain, ask))
    isAgain = answered === 'again'
    const tried = await send(headersOf(answered)).then(
      (done) => ({ done }),
      (thrown: unknown) => ({ thrown }),
    )
    if ('done' in tried) return tried.done
    cause = tried.thrown
  }
}
