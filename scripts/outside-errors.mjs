import { writeFileSync } from 'node:fs'

/** Where Vitest's errors outside of any test are written: its JSON report leaves them out, though they fail the run. */
export const outsideErrors = 'test-results/outside-errors.json'

export default class OutsideErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(outsideErrors, JSON.stringify(errors.map(({ type, message, stack }) => ({ type, message, stack }))))
  }
}
