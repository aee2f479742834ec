import { IdleWarning } from './idle/idle-warning'
import { SessionForm } from './session-form'

/** What a page needs once its session is near its end or over. They come together, so that the strip can ask for a password though the line is gone by then. */
export const sessionParts = { IdleWarning, SessionForm }
