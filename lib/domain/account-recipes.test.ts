import { expect, test } from 'vitest'
import { accountRecipes, stagesLeft, whyNotPlay } from './account-recipes'

const [whole, stuck] = accountRecipes as [(typeof accountRecipes)[0], (typeof accountRecipes)[0]]

test('a recipe goes through every stage that is left', () => {
  expect(stagesLeft(whole, 'created')).toEqual(['onboarding', 'active'])
  expect(stagesLeft(whole, 'onboarding')).toEqual(['active'])
  expect(stagesLeft(whole, 'active')).toEqual([])
})

test('a recipe is closed where the account is there, is beyond it, or stands on no stage', () => {
  expect(whyNotPlay(whole, 'created')).toBeNull()
  expect(whyNotPlay(whole, 'onboarding')).toBeNull()
  expect(whyNotPlay(whole, 'active')).toBe('It is active already.')
  expect(whyNotPlay(stuck, 'onboarding')).toBe('It is onboarding already.')
  expect(whyNotPlay(stuck, 'active')).toMatch(/no simulation leads from there to onboarding/)
  expect(whyNotPlay(whole, 'rejected')).toMatch(/^It is rejected/)
})
