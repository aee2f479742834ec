import { IdleWarning } from './idle/idle-warning'
import { SessionForm } from './session-form'

/** Parts for a session that is about to end or over. One bundle, so that the strip can show the form without a connection. */
export const sessionParts = { IdleWarning, SessionForm }
