/* M a = f + A^T x with A a = b; M may be singular, rows of A may depend on each other (elimination on M + A^T A). */
static int factor(int n, double *S)
{
    for (int j = 0; j < n; j++) {
        const double before = S[j * n + j];
        for (int k = 0; k < j; k++)
            S[j * n + j] -= S[j * n + k] * S[j * n + k];
        if (!(S[j * n + j] > 1e-13 * before))
            return j;
        S[j * n + j] = sqrt(S[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            double total = S[i * n + j];
            for (int k = 0; k < j; k++)
                total -= S[i * n + k] * S[j * n + k];
            S[i * n + j] = total / S[j * n + j];
        }
    }
    return -1;
}

static void forward(int n, const double *L, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
}

static void backward(int n, const double *L, double *x)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

/* the inertia of each coordinate: its diagonal of M, or the largest where an elimination leaves nothing of it */
static void inertias(int n, const double *M, double *S, double *h)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = M[i * n + i] > largest ? M[i * n + i] : largest;
        h[i] = 0.0;
        for (int j = 0; j <= i; j++)
            S[i * n + j] = M[i * n + j];
    }
    largest = largest > 0.0 ? largest : 1.0;
    for (int step = 0; step < n; step++) {
        int j = -1;
        for (int i = 0; i < n; i++)
            if (h[i] == 0.0 && (j < 0 || S[i * n + i] > (1.0 + 1e-9) * S[j * n + j]))
                j = i;
        if (!(S[j * n + j] > 1e-6 * fabs(M[j * n + j]))) {
            h[j] = largest;
            continue;
        }
        h[j] = M[j * n + j];
        for (int i = 0; i < n; i++) {
            if (h[i] != 0.0)
                continue;
            const double part = (i > j ? S[i * n + j] : S[j * n + i]) / S[j * n + j];
            for (int k = 0; k <= i; k++)
                if (h[k] == 0.0)
                    S[i * n + k] -= part * (k > j ? S[k * n + j] : S[j * n + k]);
        }
    }
}

/* G x = right, rows that depend on earlier ones passed over */
static void eliminate(int m, double *G, double *right, double *x)
{
    for (int k = 0; k < m; k++)
        x[k] = G[k * m + k];
    for (int k = 0; k < m; k++) {
        if (!(fabs(G[k * m + k]) > 1e-12 * fabs(x[k]))) {
            G[k * m + k] = 0.0;
            continue;
        }
        for (int i = k + 1; i < m; i++) {
            const double part = G[i * m + k] / G[k * m + k];
            for (int j = k + 1; j < m; j++)
                G[i * m + j] -= part * G[k * m + j];
            right[i] -= part * right[k];
        }
    }
    for (int k = m - 1; k >= 0; k--) {
        double total = right[k];
        for (int j = k + 1; j < m; j++)
            total -= G[k * m + j] * x[j];
        x[k] = G[k * m + k] == 0.0 ? 0.0 : total / G[k * m + k];
    }
}

static int solve(int n, int m, const double *M, const double *f, const double *A, const double *b, double *a, double *x,
                 double *S, double *Y, double *G, double *right, double *kept)
{
    inertias(n, M, S, a);
    for (int k = 0; k < m; k++) {
        double norm = 0.0;
        for (int j = 0; j < n; j++)
            norm += A[k * n + j] * A[k * n + j] / a[j];
        kept[k] = norm > 0.0 ? 1.0 / sqrt(norm) : 0.0;
    }
    for (int i = 0; i < n; i++) {
        a[i] = f[i];
        for (int j = 0; j <= i; j++)
            S[i * n + j] = M[i * n + j];
    }
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) {
            const double part = A[k * n + i] * kept[k] * kept[k];
            Y[k * n + i] = A[k * n + i] * kept[k];
            a[i] += part * b[k];
            for (int j = 0; j <= i; j++)
                S[i * n + j] += part * A[k * n + j];
        }
    }
    const int failed = factor(n, S);
    if (failed >= 0)
        return -1 - failed;
    forward(n, S, a);
    for (int k = 0; k < m; k++) {
        forward(n, S, Y + k * n);
        right[k] = b[k] * kept[k];
        for (int i = 0; i < n; i++)
            right[k] -= Y[k * n + i] * a[i];
        for (int l = 0; l <= k; l++) {
            double total = 0.0;
            for (int i = 0; i < n; i++)
                total += Y[k * n + i] * Y[l * n + i];
            G[k * m + l] = G[l * m + k] = total;
        }
    }
    eliminate(m, G, right, x);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            a[i] += Y[k * n + i] * x[k];
        x[k] *= kept[k];
    }
    backward(n, S, a);
    return 0;
}
