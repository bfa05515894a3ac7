# TSK Explorer as a container, for whoever has an engine:
#   docker build -t tsk-explorer .
#   docker run --init -p 127.0.0.1:8501:8501 -v tsk-runs:/app/runs -v tsk-data:/app/data tsk-explorer
FROM python:3.11-slim

# Where to take torch from, such as PyTorch's index of CPU builds (README.md); empty: the ordinary registry, with CUDA.
ARG TORCH_INDEX=""

ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# Java, for the study's JRip and PART
RUN apt-get update && apt-get install -y --no-install-recommends default-jre-headless && rm -rf /var/lib/apt/lists/*

# torch alone comes from that index, without dependencies: the second line finds it installed and adds all the rest
COPY requirements.txt requirements-login.txt requirements-study.txt constraints.txt ./
RUN if [ -n "$TORCH_INDEX" ]; then pip install --no-deps --index-url "$TORCH_INDEX" "$(grep '^torch==' requirements.txt)"; fi \
    && pip install -r requirements.txt -r requirements-login.txt -r requirements-study.txt -c constraints.txt

# all of it stays root's
COPY app.py ./
COPY .streamlit/ .streamlit/
COPY pages/ pages/
COPY ui/ ui/
COPY study/ study/
COPY tsk_core/ tsk_core/
COPY tsk_study/ tsk_study/

# the documentation, served at /docs; what builds it is not kept
COPY requirements-docs.txt CITATION.cff *.md ./
COPY docs/ docs/
RUN pip install --target /tmp/sphinx -r requirements-docs.txt -c constraints.txt \
    && PYTHONPATH=/tmp/sphinx python -m sphinx --builder html --quiet --doctree-dir /tmp/doctrees docs static/docs \
    && rm -rf /tmp/sphinx /tmp/doctrees

# what browsers fetch is put into static/ here, so that the app writes into runs/ and data/ alone: its runs, and tables from OpenML
RUN python -c "from ui.charts.explanations import provide_explanations as texts; from ui.platform.assets import provide; provide(); texts()" \
    && useradd --create-home --uid 1000 tsk && mkdir -p runs data && chown tsk:tsk runs data
ENV SCIKIT_LEARN_DATA=/app/data
USER tsk
VOLUME /app/runs /app/data

EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["python", "-m", "tsk_core", "serve", "--address=0.0.0.0"]
