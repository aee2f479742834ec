import { IdleWarning } from './idle/idle-warning'
import { SessionForm } from './session-form'

/**
 * Components that are shown when a session ends soon or has ended. They are one bundle: loading the
 * warning also loads the form, so that the form is available if the connection is lost later.
 */
export const sessionEndComponents = { IdleWarning, SessionForm }
