'use client'

import { lateForm } from '@/components/kits/form/late-form'

const SimulateFundingForm = lateForm(() => import('./simulate-funding-form').then((module) => module.SimulateFundingForm))

export const SimulateFunding = () => <SimulateFundingForm />
