import type { WidgetMessage } from './widget-message'

/** Where the framed page stands, as far as its messages tell. `note` is a word on the way; `linked` is the id of the paykey it made. */
export type WidgetState =
  | { step: 'loading' }
  | { step: 'open'; note: string | null }
  | { step: 'linked'; linked: string; left: boolean }
  | { step: 'closed' }
  | { step: 'failed'; why: 'timeout' | 'refused' | 'expired' | 'not_framed'; text: string | null }

/** What happens to it: a message that was heard, no sign of life in time, or a policy of this page that keeps the frame out. */
export type WidgetEvent = WidgetMessage | { name: 'timeout' } | { name: 'not_framed' }

const notes: Partial<Record<WidgetEvent['name'], string>> = {
  retry: 'Another try is under way in the page.',
  manual: 'The numbers are being typed into the page.',
}

/** A token that is not valid any more is mended by a new one, which is worth saying. */
const refusal = ({ status, text }: Extract<WidgetMessage, { name: 'error' }>): WidgetState => ({
  step: 'failed',
  why: status === 401 ? 'expired' : 'refused',
  text,
})

/** A page that is already open tells its small troubles itself, in place; only an ended token ends it. */
function onError(state: WidgetState, event: Extract<WidgetMessage, { name: 'error' }>): WidgetState {
  if (state.step === 'loading') return refusal(event)
  if (state.step !== 'open') return state
  return event.status === 401 ? refusal(event) : { step: 'open', note: `The page says: ${event.text ?? 'it did not work'}.` }
}

function onEnd(state: WidgetState): WidgetState {
  if (state.step === 'linked') return { ...state, left: true }
  return state.step === 'failed' ? state : { step: 'closed' }
}

/** A sign of life opens the page; a word on the way is passed on. */
function onSign(state: WidgetState, note: string | undefined): WidgetState {
  if (state.step === 'loading') return { step: 'open', note: null }
  return state.step === 'open' && note ? { step: 'open', note } : state
}

/** The next state. A linked paykey is never forgotten: whatever is said afterwards, it is there. */
export function nextWidgetState(state: WidgetState, event: WidgetEvent): WidgetState {
  switch (event.name) {
    case 'linked':
      return { step: 'linked', linked: event.id, left: false }
    case 'error':
      return onError(state, event)
    case 'close':
    case 'done':
      return onEnd(state)
    case 'timeout':
    case 'not_framed':
      return state.step === 'loading' ? { step: 'failed', why: event.name, text: null } : state
    default:
      return onSign(state, notes[event.name])
  }
}
