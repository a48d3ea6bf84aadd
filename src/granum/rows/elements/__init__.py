"""Elementary rows: one file each, with the numeric kernel and the symbolic expression side by side.

A row φ(q, t) = 0 has φ̇ = J v + φ_t and φ̈ = J a - b; b is minus all of φ̈ that is not in the accelerations. With d from
the first point to the second, r its arms, ω angular velocities, and c = ω₂×(ω₂×r₂) - ω₁×(ω₁×r₁):

    along e, at rest        e·d                  J₂ = (e, r₂×e), J₁ = -(e, r₁×e)             -b = e·c
    along e, carried by 1   e·d                  J₁ = -(e, (r₁ + d)×e)                        -b = e·c + 2 ė·ḋ + ë·d
    square                  u₁·w₂                J₂ = (0, w×u) = -J₁                          -b = (ω₂ - ω₁)·(w×u)˙
    angle about e           φ                    J₂ = (0, e) = -J₁                            -b = (ω₂ - ω₁)·ė
    distance l, n = d/l     (d·d - l²)/2l        J₂ = (n, r₂×n), J₁ = -(n, r₁×n)            -b = n·c + ḋ·ḋ/l
    rolling                 t·(ḋ + ρ×n) = 0      J₂ = (t, (r₂ + ρ₂ n)×t), J₁ likewise         -b = t·(c + ρ×ṅ)
    no spin                 n·(ω₂ - ω₁) = 0      J₂ = (0, n) = -J₁                            -b = (ω₂ - ω₁)·ṅ

with ρ = ρ₂ω₂ - ρ₁ω₁, the contact lying at ρ₁ n from the first centre and at ρ₂ n from the second.
Rolling is eq. 3.64 of Sun (1996), no spin eq. 39 of Udwadia and Mogharabin (2022).
"""
