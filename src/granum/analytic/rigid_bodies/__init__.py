"""newton-euler of rigid bodies with joints: M a = f + Jᵀ λ, J a = b on tables, eliminated along the graph."""
