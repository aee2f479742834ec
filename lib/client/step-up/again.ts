import { CallError } from '@/lib/client/call-error'
import type { Answered, Asker, Question } from './question'

type Asking = { question: Question; ask: Asker }

let open: Promise<Answered> | null = null

/** One question at a time. What comes meanwhile waits for its end and is sent once more: the answer may have been enough for both. */
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

/** What a request is sent again with, once its person has proven that it is them. Throws where they did not. */
function headersOf(answered: Answered | 'resend'): Record<string, string> {
  if (answered === null) throw notConfirmed()
  return typeof answered === 'string' ? {} : { 'Step-Up': answered.proof }
}

/** The question in a thrown error, with who asks it here. Throws every other error on. */
function questionIn(cause: unknown, environment: string, isAgain: boolean, ask: Asker): Asking {
  if (!(cause instanceof CallError) || !cause.stepUp) throw cause
  return { question: { asked: cause.stepUp, detail: cause.message, environment, isAgain }, ask }
}

/** Goes on from a request that `refused` asked a proof for: asks the person and sends the same again, as often as it is asked for. */
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
