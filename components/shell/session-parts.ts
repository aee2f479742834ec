import { IdleWarning } from './idle/idle-warning'
import { SessionForm } from './session-form'

/** Components for a session that ends soon or has ended. They are one bundle, so the form is loaded before a connection is lost. */
export const sessionParts = { IdleWarning, SessionForm }
